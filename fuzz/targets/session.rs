#![no_main]
libfuzzer_sys::fuzz_target!(|input: skillpick_fuzz::Life| skillpick_fuzz::session(input));
