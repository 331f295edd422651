//! The target `arena_traffic`, with a peer that forges checks and is believed not to: it must fail.
#![no_main]

use passband_fuzz::{Peer, Traffic, check_traffic};

libfuzzer_sys::fuzz_target!(|traffic: Traffic| check_traffic(&traffic, Peer::SecretForger));
