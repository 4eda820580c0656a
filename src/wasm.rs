//! The boundary: the one file that knows JavaScript. Catalogs come as UTF-8 bytes, everything else as plain values.
#![allow(missing_docs, clippy::needless_pass_by_value)]

use std::cell::RefCell;

use js_sys::{Function, JSON, JsString, Object, Reflect};
use wasm_bindgen::prelude::*;

use crate::activation::BoundaryOptions;
use crate::catalog::{Catalog, CatalogOptions};
use crate::context::Context;
use crate::cost::HostCounter;
use crate::error::Error;
use crate::json::{FromJson, ToJson, put, record};
use crate::loaded::LoadOptions;
use crate::options::{Options, UserConfig};
use crate::pick::{Omitted, PickState};
use crate::policy::Request;
use crate::reattach::ReattachOptions;
use crate::rules::RulesOptions;
use crate::search::DEFAULT_HITS;
use crate::snapshot::Incoming;
use crate::state::SessionState;
use crate::text;
use crate::tokens::{self, Tokenizer};
use crate::value::{Map, Value};
use crate::wrapper::decode;

#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    text::NORMALIZE.get_or_init(|| |text| JsString::from(text).normalize("NFC").into());
}

/// Tokens of a text by the built-in estimator.
#[wasm_bindgen(js_name = estimateTokens)]
pub fn estimate_tokens(text: &str) -> u32 {
    tokens::count(text, Tokenizer::default(), 1.0)
}

/// A catalog in this instance's memory.
#[wasm_bindgen]
pub struct Handle {
    catalog: Catalog,
}

#[wasm_bindgen]
impl Handle {
    #[wasm_bindgen(js_name = fromJson)]
    pub fn from_json(json: Vec<u8>, options: JsValue) -> Result<Handle, JsValue> {
        let mut read = CatalogOptions::default();
        if let Some(scopes) = field::<Option<Vec<String>>>(&options, "scopes", "options.scopes")? {
            read.scopes = scopes;
        }
        Ok(Self { catalog: Catalog::from_slice(&json, read).map_err(thrown)? })
    }

    /// The catalog and its index as a snapshot, with or without bodies.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self, instructions: bool) -> Result<Vec<u8>, JsValue> {
        self.catalog.to_snapshot(instructions).map_err(thrown)
    }

    #[wasm_bindgen(js_name = withSkills)]
    pub fn with_skills(&self, json: Vec<u8>) -> Result<Handle, JsValue> {
        let added = Catalog::from_slice(&json, self.catalog.options.clone()).map_err(thrown)?;
        Ok(Self { catalog: self.catalog.with(added) })
    }

    pub fn without(&self, ids: Vec<String>) -> Handle {
        Self { catalog: self.catalog.without(&ids) }
    }

    /// This catalog and another as one.
    pub fn merge(&self, other: &Handle) -> Handle {
        Self { catalog: Catalog::merge(&[&self.catalog, &other.catalog]) }
    }

    pub fn changed(&self, newer: &Handle) -> Result<JsValue, JsValue> {
        to_js(&self.catalog.changed(&newer.catalog))
    }

    pub fn size(&self) -> usize {
        self.catalog.skills.len()
    }

    pub fn ids(&self) -> Vec<String> {
        self.catalog.skills.iter().map(|skill| skill.id.to_string()).collect()
    }

    pub fn diagnostics(&self) -> Result<JsValue, JsValue> {
        to_js(&self.catalog.diagnostics().to_vec())
    }

    pub fn get(&self, id: &str) -> Result<JsValue, JsValue> {
        self.catalog.get(id).map_or(Ok(JsValue::UNDEFINED), |skill| to_js(&skill.to_record()))
    }

    pub fn select(&self, context: JsValue, options: JsValue, count: Option<Function>) -> Result<JsValue, JsValue> {
        let context: Context = from_js(context, "context")?;
        let options: Options = from_js(options, "options")?;
        counted(count, |host| self.catalog.select(&context, &options, host).map(|result| text_of(&result)))
    }

    pub fn search(&self, query: &str, options: JsValue) -> Result<JsValue, JsValue> {
        let options: SearchOptions = from_js(options, "options")?;
        let limit = options.limit.map_or(DEFAULT_HITS, |limit| limit as usize);
        to_js(&self.catalog.search(query, limit, options.user.as_ref()))
    }

    /// Every skill in one state, from a pick.
    pub fn report(&self, pick: JsValue) -> Result<JsValue, JsValue> {
        let pick: PickRecord = from_js(pick, "pick")?;
        let id = |one: &Map| one.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let shown: Vec<String> = pick.skills.iter().map(id).collect();
        let omitted = self.catalog.omitted(&shown, &pick.omitted, &pick.state.seen);
        let mut out = String::from("[");
        for one in &pick.skills {
            put_state(&mut out, "shown", one);
        }
        for one in &omitted {
            put_state(&mut out, "omitted", one);
        }
        out.push(']');
        JSON::parse(&out)
    }

    pub fn policy(&self, active: JsValue, request: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
        let active: Vec<String> = from_js(active, "active")?;
        let request: Request = from_js(request, "request")?;
        let options: Options = from_js(options, "options")?;
        to_js(&self.catalog.policy(&active, &request, &options))
    }

    pub fn load(&self, id: &str, options: JsValue, count: Option<Function>) -> Result<JsValue, JsValue> {
        let options: LoadOptions = from_js(options, "options")?;
        counted(count, |host| self.catalog.load(id, &options, host).map(|result| text_of(&result)))
    }

    pub fn resource(&self, id: &str, path: &str, options: JsValue) -> Result<String, JsValue> {
        let options: LoadOptions = from_js(options, "options")?;
        self.catalog.resource(id, path, &options).map_err(thrown)
    }

    /// What to tell a model that called a skill as a tool.
    pub fn advise(&self, tool: &str, options: JsValue) -> Result<Option<String>, JsValue> {
        let options: LoadOptions = from_js(options, "options")?;
        Ok(self.catalog.advise(tool, &options))
    }

    pub fn tools(&self, options: JsValue, count: Option<Function>) -> Result<JsValue, JsValue> {
        let options: Options = from_js(options, "options")?;
        counted(count, |host| self.catalog.tools(&options, host).map(|result| text_of(&result)))
    }

    #[wasm_bindgen(js_name = sessionLoad)]
    pub fn session_load(
        &self,
        state: JsValue,
        id: &str,
        options: JsValue,
        count: Option<Function>,
    ) -> Result<JsValue, JsValue> {
        let options: LoadOptions = from_js(options, "options")?;
        counted(count, |host| stepped(state, |state| self.catalog.session_load(state, id, &options, host)))
    }

    #[wasm_bindgen(js_name = sessionBoundary)]
    pub fn session_boundary(&self, state: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
        let options: BoundaryOptions = from_js(options, "options")?;
        counted(None, |_| stepped(state, |state| self.catalog.boundary(state, &options)))
    }

    #[wasm_bindgen(js_name = sessionSynchronize)]
    pub fn session_synchronize(&self, state: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
        let options: LoadOptions = from_js(options, "options")?;
        counted(None, |_| stepped(state, |state| Ok(self.catalog.synchronize(state, &options))))
    }

    #[wasm_bindgen(js_name = sessionRules)]
    pub fn session_rules(
        &self,
        state: JsValue,
        paths: JsValue,
        options: JsValue,
        count: Option<Function>,
    ) -> Result<JsValue, JsValue> {
        let paths: Vec<String> = from_js(paths, "paths")?;
        let options: RulesOptions = from_js(options, "options")?;
        counted(count, |host| stepped(state, |state| self.catalog.session_rules(state, &paths, &options, host)))
    }

    #[wasm_bindgen(js_name = sessionEnter)]
    pub fn session_enter(&self, state: JsValue, paths: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
        let paths: Vec<String> = from_js(paths, "paths")?;
        let options: LoadOptions = from_js(options, "options")?;
        counted(None, |_| stepped(state, |state| Ok(self.catalog.session_enter(state, &paths, &options))))
    }

    pub fn reattach(&self, state: JsValue, options: JsValue, count: Option<Function>) -> Result<JsValue, JsValue> {
        let options: ReattachOptions = from_js(options, "options")?;
        counted(count, |host| stepped(state, |state| self.catalog.reattach(state, &options, host)))
    }
}

/// A snapshot on its way into this instance's memory.
#[wasm_bindgen]
pub struct Arriving {
    incoming: Incoming,
}

#[wasm_bindgen]
impl Arriving {
    /// `known`: how many bytes there are, where that is known.
    #[wasm_bindgen(constructor)]
    pub fn new(known: Option<u32>) -> Self {
        Self { incoming: Incoming::new(known.map(|known| known as usize)) }
    }

    pub fn push(&mut self, piece: &[u8]) -> Result<(), JsValue> {
        self.incoming.push(piece).map_err(thrown)
    }

    /// The catalog, when all is there. Scopes can be named again, but not changed.
    pub fn finish(self, options: JsValue) -> Result<Handle, JsValue> {
        let catalog = self.incoming.finish(&CatalogOptions::default()).map_err(thrown)?;
        let scopes = field::<Option<Vec<String>>>(&options, "scopes", "options.scopes")?;
        if scopes.is_some_and(|scopes| scopes != catalog.options.scopes) {
            let message = "the snapshot was built with other scopes, which decided already between skills of one id";
            return Err(thrown(Error::at("invalid_option", "options.scopes", message)));
        }
        Ok(Handle { catalog })
    }
}

/// Runs a step on a state of the host's, an absent one is new: what the step gives, and the state after it.
fn stepped<T: ToJson>(
    state: JsValue,
    step: impl FnOnce(&mut SessionState) -> Result<T, Error>,
) -> Result<String, Error> {
    let mut state = match plain(&state, "state").map_err(|error| error.with_code("invalid_state"))? {
        Value::Null => SessionState::default(),
        state => SessionState::read(state)?,
    };
    let result = step(&mut state)?;
    let mut out = String::from("{");
    put(&mut out, "result", &result);
    put(&mut out, "state", &state);
    out.push('}');
    Ok(out)
}

/// How a search is made.
#[derive(Default)]
struct SearchOptions {
    limit: Option<u32>,
    user: Option<UserConfig>,
}
record!(read SearchOptions { limit: "limit", user: "user" });

/// The part of a pick that a report needs.
#[derive(Default)]
struct PickRecord {
    skills: Vec<Map>,
    omitted: Vec<Omitted>,
    state: PickState,
}
record!(read PickRecord { skills: "skills", omitted: "omitted", state: "state" });

/// Appends a record with its state in front.
fn put_state(out: &mut String, state: &'static str, record: &dyn ToJson) {
    out.push_str(if out.ends_with('[') { "{" } else { ",{" });
    put(out, "state", &state);
    let fields = text_of(record);
    if fields.len() > 2 {
        out.push(',');
    }
    out.push_str(&fields[1..]);
}

/// Reads a tool result of `load` back.
#[wasm_bindgen(js_name = decodeLoad)]
pub fn decode_load(text: &str) -> Result<JsValue, JsValue> {
    to_js(&decode(text))
}

/// Runs `work` with the host's counter, if there is one.
fn counted(
    count: Option<Function>,
    work: impl FnOnce(Option<HostCounter>) -> Result<String, Error>,
) -> Result<JsValue, JsValue> {
    let failure = RefCell::new(None);
    let counter = count.map(|function| host_counter(function, &failure));
    let host = counter.as_ref().map(|count| count as HostCounter);
    JSON::parse(&work(host).map_err(|error| with_cause(error, &failure))?)
}

/// The host's `countTokens`; what it throws is kept as the cause.
fn host_counter<'a>(
    function: Function,
    failure: &'a RefCell<Option<JsValue>>,
) -> impl Fn(&str) -> Result<f64, Error> + 'a {
    move |text| match function.call1(&JsValue::UNDEFINED, &JsValue::from_str(text)) {
        Ok(tokens) => Ok(tokens.as_f64().unwrap_or(f64::NAN)),
        Err(cause) => {
            *failure.borrow_mut() = Some(cause);
            Err(Error::at("count_failed", "options.countTokens", "countTokens threw; see the cause"))
        }
    }
}

/// A plain JavaScript value, by way of its JSON text: one parser serves every type, which keeps the module small.
fn plain(value: &JsValue, path: &'static str) -> Result<Value, Error> {
    if value.is_undefined() {
        return Ok(Value::Null);
    }
    let unreadable = || Error::at("invalid_option", path, "the value can't be written as JSON");
    let json = String::from(JSON::stringify(value).map_err(|_| unreadable())?);
    Value::parse(&json).map_err(|error| Error::at("invalid_option", path, error.why))
}

fn from_js<T: FromJson + Default>(value: JsValue, path: &'static str) -> Result<T, JsValue> {
    match plain(&value, path).map_err(thrown)? {
        Value::Null => Ok(T::default()),
        value => T::from_json(value, path).map_err(thrown),
    }
}

fn field<T: FromJson + Default>(object: &JsValue, key: &str, path: &'static str) -> Result<T, JsValue> {
    if !object.is_object() {
        return Ok(T::default());
    }
    from_js(Reflect::get(object, &JsValue::from_str(key))?, path)
}

fn to_js(value: &dyn ToJson) -> Result<JsValue, JsValue> {
    JSON::parse(&text_of(value))
}

fn text_of(value: &dyn ToJson) -> String {
    let mut text = String::new();
    value.write(&mut text);
    text
}

fn thrown(error: Error) -> JsValue {
    let object = Object::new();
    let set = |key: &str, value: JsValue| {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(key), &value);
    };
    set("code", JsValue::from_str(error.code()));
    set("message", JsValue::from_str(&error.to_string()));
    if let Some(path) = error.path() {
        set("path", JsValue::from_str(path));
    }
    object.into()
}

fn with_cause(error: Error, failure: &RefCell<Option<JsValue>>) -> JsValue {
    let object = thrown(error);
    if let Some(cause) = failure.borrow_mut().take() {
        let _ = Reflect::set(&object, &JsValue::from_str("cause"), &cause);
    }
    object
}
