import { DurableObject } from "cloudflare:workers";
import type { Env } from "./env.js";

/** What one user may store. */
export const QUOTA = { skills: 100, bytes: 1_000_000, conversations: 200, active: 50 };

export interface Settings {
  disabled: string[];
  overrides: Record<string, { enabled: boolean }>;
  active: string | null;
}

export interface Conversation {
  active: string[];
  /** JSON of the states of the last picks. */
  previous: string | null;
}

/** A user's state as a request needs it; skills as JSON text. */
export interface Snapshot {
  revision: number;
  settings: Settings;
  /** Absent if the caller has this revision already. */
  skills?: string[];
  conversation: Conversation;
}

/**
 * Everything that one user has changed. There is one such object a user and it runs one call at a time; each call is synchronous from
 * its first read to its last write, so that concurrent requests lose nothing.
 */
export class UserState extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS skills (id TEXT PRIMARY KEY, record TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS switches (id TEXT PRIMARY KEY, enabled INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, previous TEXT, touched INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS active (conversation TEXT, id TEXT, PRIMARY KEY (conversation, id));
    `);
  }

  read(conversation: string | null, known: number): Snapshot {
    const revision = Number(this.#meta("revision") ?? 0);
    return {
      revision,
      settings: this.#settings(),
      ...(revision === known ? {} : { skills: this.#texts("SELECT record AS value FROM skills ORDER BY id") }),
      conversation: conversation === null ? { active: [], previous: null } : this.#conversation(conversation),
    };
  }

  /** Stores a skill of the user's own; `exists` or `quota` if it can't be. */
  add(id: string, text: string): "stored" | "exists" | "quota" {
    if (this.#texts("SELECT id AS value FROM skills WHERE id = ?", id).length > 0) return "exists";
    const [{ count, bytes }] = this.#sql.exec<{ count: number; bytes: number }>("SELECT count(*) AS count, ifnull(sum(length(cast(record AS BLOB))), 0) AS bytes FROM skills").toArray() as [{ count: number; bytes: number }];
    if (count >= QUOTA.skills || bytes + new TextEncoder().encode(text).length > QUOTA.bytes) return "quota";
    this.#sql.exec("INSERT INTO skills VALUES (?, ?)", id, text);
    this.#sql.exec("DELETE FROM switches WHERE id = ?", id);
    this.#touch();
    return "stored";
  }

  /** Takes a skill of the user's own away; `false` if there is none. */
  remove(id: string): boolean {
    if (this.#sql.exec("DELETE FROM skills WHERE id = ?", id).rowsWritten === 0) return false;
    this.#forget(id);
    this.#touch();
    return true;
  }

  /** Switches a skill of the shared catalog on or off for this user. */
  switch(id: string, enabled: boolean): void {
    this.#sql.exec("INSERT OR REPLACE INTO switches VALUES (?, ?)", id, enabled ? 1 : 0);
    if (!enabled) this.#forget(id);
  }

  /** The skill that the user has switched on; `null` for none. */
  activate(id: string | null): Settings {
    this.#sql.exec("INSERT OR REPLACE INTO meta VALUES ('active', ?)", JSON.stringify(id));
    return this.#settings();
  }

  /** Notes a loaded skill. */
  loaded(conversation: string, id: string): void {
    this.#enter(conversation);
    this.#sql.exec("INSERT OR IGNORE INTO active VALUES (?, ?)", conversation, id);
    this.#sql.exec("DELETE FROM active WHERE conversation = ?1 AND rowid <= ifnull((SELECT rowid FROM active WHERE conversation = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2), -1)", conversation, QUOTA.active);
  }

  /** Keeps the state of the last pick. */
  picked(conversation: string, previous: string): void {
    this.#enter(conversation);
    this.#sql.exec("UPDATE conversations SET previous = ? WHERE id = ?", previous, conversation);
  }

  #enter(conversation: string): void {
    const [{ next }] = this.#sql.exec<{ next: number }>("SELECT ifnull(max(touched), 0) + 1 AS next FROM conversations").toArray() as [{ next: number }];
    this.#sql.exec("INSERT INTO conversations VALUES (?1, NULL, ?2) ON CONFLICT (id) DO UPDATE SET touched = ?2", conversation, next);
    this.#sql.exec("DELETE FROM conversations WHERE id NOT IN (SELECT id FROM conversations ORDER BY touched DESC LIMIT ?)", QUOTA.conversations);
    this.#sql.exec("DELETE FROM active WHERE conversation NOT IN (SELECT id FROM conversations)");
  }

  #forget(id: string): void {
    this.#sql.exec("DELETE FROM active WHERE id = ?", id);
    if (this.#settings().active === id) this.activate(null);
  }

  #conversation(id: string): Conversation {
    const [previous] = this.#texts("SELECT previous AS value FROM conversations WHERE id = ? AND previous IS NOT NULL", id);
    return {
      active: this.#texts("SELECT id AS value FROM active WHERE conversation = ? ORDER BY rowid", id),
      previous: previous ?? null,
    };
  }

  #settings(): Settings {
    const switches = this.#sql.exec<{ id: string; enabled: number }>("SELECT id, enabled FROM switches ORDER BY id").toArray();
    return {
      disabled: switches.filter(({ enabled }) => !enabled).map(({ id }) => id),
      overrides: Object.fromEntries(switches.filter(({ enabled }) => enabled).map(({ id }) => [id, { enabled: true }])),
      active: JSON.parse(this.#meta("active") ?? "null"),
    };
  }

  #touch(): void {
    this.#sql.exec("INSERT OR REPLACE INTO meta VALUES ('revision', ?)", String(Number(this.#meta("revision") ?? 0) + 1));
  }

  #meta(key: string): string | undefined {
    return this.#texts("SELECT value FROM meta WHERE key = ?", key)[0];
  }

  #texts(query: string, ...bindings: string[]): string[] {
    return this.#sql.exec<{ value: string }>(query, ...bindings).toArray().map(({ value }) => value);
  }
}
