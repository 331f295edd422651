//! Which vector units to use: known to the compiler, found at run time, or forced.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::pulp::{Avx2, Avx512};
use super::{Baseline, Body, Lanes, Scalar};
use core::fmt;

/// A vector level of this CPU; one byte.
///
/// AVX levels come from detection only, so that having one proves that the CPU has it.
#[derive(Clone, Copy)]
pub struct SimdLevel(Token);

#[derive(Clone, Copy)]
enum Token {
    Scalar(Scalar),
    Baseline(Baseline),
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    Avx512(Avx512),
}

/// Targets without vectors have one level.
const BASELINE_IS_SCALAR: bool = <Baseline as Lanes<f32>>::WIDTH == <Scalar as Lanes<f32>>::WIDTH;

impl SimdLevel {
    /// Plain Rust, without vectors written by hand.
    pub const SCALAR: Self = Self(Token::Scalar(Scalar));

    /// What every CPU of the compilation target has.
    pub const COMPILED: Self =
        if BASELINE_IS_SCALAR { Self::SCALAR } else { Self(Token::Baseline(Baseline)) };

    /// The levels that this CPU has, from the narrowest to the widest.
    pub fn available() -> impl Iterator<Item = Self> {
        let compiled = (!BASELINE_IS_SCALAR).then_some(Self::COMPILED);
        [Some(Self::SCALAR), compiled].into_iter().chain(detected()).flatten()
    }

    /// The widest level of this CPU, or the one that `PASSBAND_SIMD` asks for.
    ///
    /// With feature `std` the variable is read once. A level that the CPU lacks, or an unknown
    /// name, leaves the best level below it; [`rejected`](Self::rejected) tells.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(feature = "std")]
        return choice().level;
        #[cfg(not(feature = "std"))]
        Self::COMPILED
    }

    /// The value of `PASSBAND_SIMD` that could not be used, if there was one.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn rejected() -> Option<&'static str> {
        choice().rejected.as_deref()
    }

    /// `scalar`, `baseline`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Token::Scalar(_) => "scalar",
            Token::Baseline(_) => "baseline",
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Token::Avx2(_) => "avx2",
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Token::Avx512(_) => "avx512",
        }
    }

    /// Elements of `bytes` bytes, 4 or 8, per vector.
    #[must_use]
    pub const fn width(self, bytes: usize) -> usize {
        match self.0 {
            Token::Scalar(_) => 2,
            Token::Baseline(_) => <Baseline as Lanes<f32>>::WIDTH * 4 / bytes,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Token::Avx2(_) => 32 / bytes,
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            Token::Avx512(_) => 64 / bytes,
        }
    }

    /// This level, or AVX2 where it is AVX-512: for scalar bodies, which a compiler puts into wide
    /// vectors at a loss.
    pub(crate) fn without_avx512(self) -> Self {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let (Token::Avx512(_), Some(token)) = (self.0, Avx2::detect()) {
            return Self(Token::Avx2(token));
        }
        self
    }

    /// Runs a body at this level.
    #[inline(always)]
    pub(crate) fn run<T, B: Body<T>>(self, body: B) -> B::Output
    where
        Self: Levels<T>,
    {
        Self::dispatch(self, body)
    }
}

/// Types whose vectors every level has.
pub(crate) trait Levels<T> {
    fn dispatch<B: Body<T>>(level: SimdLevel, body: B) -> B::Output;
}

macro_rules! levels {
    ($($t:ty)*) => {$(
        impl Levels<$t> for SimdLevel {
            #[inline(always)]
            fn dispatch<B: Body<$t>>(level: SimdLevel, body: B) -> B::Output {
                match level.0 {
                    Token::Scalar(s) => body.run(s),
                    Token::Baseline(s) => body.run(s),
                    #[cfg(all(target_arch = "x86_64", feature = "std"))]
                    Token::Avx2(s) => s.vectorize(body),
                    #[cfg(all(target_arch = "x86_64", feature = "std"))]
                    Token::Avx512(s) => s.vectorize(body),
                }
            }
        }
    )*};
}
levels!(f32 f64);

#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn detected() -> [Option<SimdLevel>; 2] {
    [
        Avx2::detect().map(|token| SimdLevel(Token::Avx2(token))),
        Avx512::detect().map(|token| SimdLevel(Token::Avx512(token))),
    ]
}

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
fn detected() -> [Option<SimdLevel>; 0] {
    []
}

#[cfg(feature = "std")]
struct Choice {
    level: SimdLevel,
    rejected: Option<std::string::String>,
}

#[cfg(feature = "std")]
fn choice() -> &'static Choice {
    static CHOICE: std::sync::OnceLock<Choice> = std::sync::OnceLock::new();
    CHOICE.get_or_init(|| choose(std::env::var_os("PASSBAND_SIMD").as_deref()))
}

#[cfg(feature = "std")]
fn choose(wish: Option<&std::ffi::OsStr>) -> Choice {
    const ORDER: [&str; 4] = ["scalar", "baseline", "avx2", "avx512"];
    let widest = |limit: usize| {
        let below = |level: &SimdLevel| ORDER[..=limit].contains(&level.name());
        SimdLevel::available().filter(below).last().unwrap_or(SimdLevel::SCALAR)
    };
    let Some(wish) = wish.filter(|wish| !wish.is_empty()) else {
        return Choice { level: widest(3), rejected: None };
    };
    let rank = ORDER.iter().position(|name| *name == wish);
    let level = widest(rank.unwrap_or(3));
    let rejected = (wish != level.name()).then(|| wish.to_string_lossy().into_owned());
    Choice { level, rejected }
}

impl PartialEq for SimdLevel {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for SimdLevel {}

impl fmt::Debug for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_one_byte() {
        assert_eq!(size_of::<SimdLevel>(), 1);
    }

    #[test]
    fn an_unknown_or_missing_level_is_rejected_and_a_known_one_taken() {
        let wish = |name: &str| choose(Some(name.as_ref()));
        assert_eq!(wish("scalar").level, SimdLevel::SCALAR);
        assert_eq!(wish("scalar").rejected, None);
        assert_eq!(wish("altivec").rejected.as_deref(), Some("altivec"));
        assert_eq!(choose(None).level, SimdLevel::available().last().unwrap());
    }
}
