//! Sends units through an arena while a peer scribbles over its words.
#![no_main]

use passband_fuzz::{Peer, Traffic, check_traffic};

libfuzzer_sys::fuzz_target!(|traffic: Traffic| check_traffic(&traffic, Peer::AsItSays));
