// SPDX-License-Identifier: Apache-2.0 OR MIT
//! These are helpers of the tests. They read the vectors of the repository's tests, in the folder that SUMAC_TEST_DATA names.
#![allow(dead_code)]
use std::path::PathBuf;
use sumac::{Bases, Context, Curve};

/// Returns the path of a file of the data. Without data it prints a message and returns None.
pub fn data(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SUMAC_TEST_DATA");
    if folder.is_none() {
        eprintln!("SUMAC_TEST_DATA does not say where the test data is");
    }
    Some(PathBuf::from(folder?).join(path))
}

/// Returns a curve, if the library has it.
pub fn curve(name: &str, group: &str) -> Option<Curve> {
    Curve::find(name, group).ok()
}

/// The part of JSON that the vectors use.
#[derive(Debug, PartialEq)]
pub enum Json {
    Null,
    Flag(bool),
    Number(i128),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Json {
        let mut rest = text.trim_start();
        Json::value(&mut rest)
    }

    fn value(rest: &mut &str) -> Json {
        let value = match rest.as_bytes()[0] {
            b'{' => Json::Object(Json::items(rest, '}', |rest| {
                let Json::Text(key) = Json::value(rest) else { panic!("a key") };
                *rest = rest.strip_prefix(':').expect("a colon").trim_start();
                (key, Json::value(rest))
            })),
            b'[' => Json::List(Json::items(rest, ']', Json::value)),
            b'"' => {
                let (text, after) = rest[1..].split_once('"').expect("the end of a text");
                *rest = after;
                Json::Text(text.replace("\\u0000", "\0"))
            }
            _ => {
                let (word, after) = rest.split_at(rest.find([',', ']', '}']).unwrap_or(rest.len()));
                *rest = after;
                match word.trim_end() {
                    "null" => Json::Null,
                    "true" | "false" => Json::Flag(word.starts_with('t')),
                    number => Json::Number(number.parse().unwrap_or_default()), // no test uses a fraction
                }
            }
        };
        *rest = rest.trim_start();
        value
    }

    fn items<T>(rest: &mut &str, end: char, item: impl Fn(&mut &str) -> T) -> Vec<T> {
        let mut items = Vec::new();
        *rest = rest[1..].trim_start();
        while !rest.starts_with(end) {
            items.push(item(rest));
            *rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        }
        *rest = &rest[1..];
        items
    }

    pub fn get(&self, key: &str) -> &Json {
        let Json::Object(fields) = self else { panic!("no object") };
        &fields.iter().find(|(name, _)| name == key).expect("a field").1
    }

    pub fn list(&self) -> &[Json] {
        let Json::List(items) = self else { panic!("no list") };
        items
    }

    pub fn text(&self) -> &str {
        let Json::Text(text) = self else { panic!("no text") };
        text
    }
}

/// Converts hexadecimal digits after 0x to bytes. The most significant byte comes first.
pub fn hex(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").expect("0x");
    let padded = if digits.len() % 2 == 1 { format!("0{digits}") } else { digits.to_string() };
    (0..padded.len() / 2).map(|i| u8::from_str_radix(&padded[2 * i..2 * i + 2], 16).expect("digits")).collect()
}

/// Converts text to a little-endian integer of `size` bytes.
pub fn little(text: &str, size: usize) -> Vec<u8> {
    let mut bytes = hex(text);
    bytes.reverse();
    assert!(bytes.iter().skip(size).all(|b| *b == 0));
    bytes.resize(size, 0);
    bytes
}

pub fn raw_scalar(curve: Curve, value: u64) -> Vec<u8> {
    let mut bytes = value.to_le_bytes().to_vec();
    bytes.resize(curve.scalar_bytes(), 0);
    bytes
}

/// Converts a point of the vectors to a raw point. Null is infinity.
pub fn raw_point(curve: Curve, point: &Json) -> Vec<u8> {
    if *point == Json::Null {
        return vec![0; curve.point_bytes()];
    }
    let mut raw = Vec::new();
    for axis in ["x", "y"] {
        match point.get(axis) {
            Json::Text(text) => raw.extend(little(text, curve.field_bytes())),
            parts => parts.list().iter().for_each(|part| raw.extend(little(part.text(), curve.field_bytes()))),
        }
    }
    raw
}

/// Returns bases and scalars with known logarithms, and their sum.
pub fn known(context: &mut Context, curve: Curve, n: usize) -> (Bases, Vec<u8>, Vec<u8>) {
    let bases = Bases::known(context, curve, n, 1).run().unwrap();
    let scalars = sumac::known_logarithms(context, curve, n, 2).unwrap();
    let logarithms = sumac::known_logarithms(context, curve, n, 1).unwrap();
    let answer = sumac::known_answer(context, curve, &scalars, &logarithms).unwrap();
    (bases, scalars, answer)
}

/// A temporary folder. When this is dropped, the folder is removed.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sumac-rust-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
