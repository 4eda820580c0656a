// The public items of a crate, a line each, from what rustdoc writes as JSON: names, fields, variants, functions with their types.

/** All lines, sorted. */
export function publicItems({ index, root }) {
  const lines = [];
  for (const id of index[root].inner.module.items) {
    const item = index[id];
    const [target, name] = item.inner.use ? [index[item.inner.use.id], item.inner.use.name] : [item, item.name];
    if (item.visibility === "public" && target) describe(target, name);
  }
  return [...new Set(lines)].sort();

  function describe(item, name) {
    const [[kind, inner]] = Object.entries(item.inner);
    const add = (line) => lines.push(line);
    const header = `${name}${generics(inner.generics)}`;
    switch (kind) {
      case "struct":
        add(`struct ${header}`);
        for (const field of inner.kind.plain?.fields ?? inner.kind.tuple ?? []) if (field !== null) member(field, name);
        // Others can write such a struct as a literal only while all fields are public and none is added.
        if (inner.kind.plain && !inner.kind.plain.has_stripped_fields) add(`struct ${name}: all fields are public`);
        break;
      case "enum":
        add(`enum ${header}${item.attrs.some((attr) => JSON.stringify(attr).includes("non_exhaustive")) ? ": non-exhaustive" : ""}`);
        for (const variant of inner.variants) variantOf(index[variant], name);
        break;
      case "trait":
        add(`trait ${header}`);
        for (const one of inner.items) describe({ ...index[one] }, `${name}::${index[one].name}`);
        break;
      case "function":
        add(signature(inner, name));
        break;
      case "constant":
        add(`const ${name}: ${type(inner.type)}`);
        break;
      case "static":
        add(`static ${name}: ${type(inner.type)}`);
        break;
      case "type_alias":
        add(`type ${header} = ${type(inner.type)}`);
        break;
      default:
        add(`${kind} ${name}`);
    }
    for (const id of inner.impls ?? []) implementation(index[id], name);
  }

  function member(id, owner) {
    const field = index[id];
    if (field?.visibility === "public" || field?.visibility === "default") lines.push(`field ${owner}::${field.name}: ${type(field.inner.struct_field)}`);
  }

  function variantOf(variant, owner) {
    const { kind } = variant.inner.variant;
    const name = `${owner}::${variant.name}`;
    const tuple = kind.tuple ? `(${kind.tuple.map((id) => (id === null ? "_" : type(index[id].inner.struct_field))).join(", ")})` : "";
    lines.push(`variant ${name}${tuple}`);
    for (const id of kind.struct?.fields ?? []) member(id, name);
  }

  function implementation(item, name) {
    const { impl } = item.inner;
    if (impl.is_synthetic || impl.blanket_impl || impl.trait?.path === "StructuralPartialEq") return;
    if (impl.trait) return void lines.push(`impl ${impl.is_negative ? "!" : ""}${path(impl.trait)} for ${name}`);
    for (const id of impl.items) {
      const one = index[id];
      if (one?.visibility === "public") describe(one, `${name}::${one.name}`);
    }
  }
}

function signature({ sig, header, generics: own }, name) {
  const inputs = sig.inputs.map(([argument, given]) => (argument === "self" ? receiver(given) : `${argument}: ${type(given)}`));
  const words = [header.is_const && "const", header.is_async && "async", header.is_unsafe && "unsafe", "fn"].filter(Boolean).join(" ");
  return `${words} ${name}${generics(own)}(${inputs.join(", ")})${sig.output ? ` -> ${type(sig.output)}` : ""}`;
}

function receiver(given) {
  const text = type(given);
  return { Self: "self", "&Self": "&self", "&mut Self": "&mut self" }[text] ?? `self: ${text}`;
}

function generics(own) {
  const names = (own?.params ?? []).filter(({ kind }) => !kind.type?.is_synthetic).map(({ name, kind }) => `${name}${bounds(kind.type?.bounds)}`);
  const where = (own?.where_predicates ?? []).map((predicate) => JSON.stringify(predicate)).join(", ");
  return `${names.length > 0 ? `<${names.join(", ")}>` : ""}${where === "" ? "" : ` where ${where}`}`;
}

const bounds = (list) => (list?.length > 0 ? `: ${list.map(bound).join(" + ")}` : "");
const bound = (one) => (one.trait_bound ? path(one.trait_bound.trait) : (one.outlives ?? JSON.stringify(one)));

function path({ path: name, args }) {
  return `${name.split("::").at(-1)}${argumentsOf(args)}`;
}

function argumentsOf(args) {
  if (!args) return "";
  if (args.parenthesized) return `(${args.parenthesized.inputs.map(type).join(", ")})${args.parenthesized.output ? ` -> ${type(args.parenthesized.output)}` : ""}`;
  const { args: given = [], constraints = [] } = args.angle_bracketed ?? {};
  const all = [
    ...given.map((one) => (one.type ? type(one.type) : (one.lifetime ?? one.const?.expr ?? "_"))),
    ...constraints.map(({ name, binding }) => `${name}${binding.equality ? ` = ${type(binding.equality.type)}` : bounds(binding.constraint)}`),
  ];
  return all.length > 0 ? `<${all.join(", ")}>` : "";
}

/** A type as it is written in Rust. */
function type(given) {
  const [[kind, inner]] = Object.entries(given);
  switch (kind) {
    case "resolved_path":
      return path(inner);
    case "primitive":
    case "generic":
      return inner;
    case "borrowed_ref":
      return `&${inner.lifetime ? `${inner.lifetime} ` : ""}${inner.is_mutable ? "mut " : ""}${type(inner.type)}`;
    case "slice":
      return `[${type(inner)}]`;
    case "array":
      return `[${type(inner.type)}; ${inner.len}]`;
    case "tuple":
      return `(${inner.map(type).join(", ")})`;
    case "impl_trait":
      return `impl ${inner.map(bound).join(" + ")}`;
    case "dyn_trait":
      return `dyn ${[...inner.traits.map(({ trait }) => path(trait)), ...(inner.lifetime ? [inner.lifetime] : [])].join(" + ")}`;
    case "qualified_path":
      return `<${type(inner.self_type)} as ${inner.trait ? path(inner.trait) : "_"}>::${inner.name}`;
    default:
      return JSON.stringify(given);
  }
}
