import type { Context } from "hono";
import type { Catalog, UserConfig } from "skillpick";
import { sharedCatalog } from "./catalog.js";
import type { App } from "./index.js";
import { knownRevision, ownCatalog } from "./own.js";
import type { Conversation, Settings, UserState } from "./user-state.js";

/** All that a request sees: the shared catalog, the user's own, the user's settings. */
export interface View {
  store: DurableObjectStub<UserState>;
  shared: Catalog;
  own: Catalog;
  settings: Settings;
  user: UserConfig;
  conversation: Conversation;
}

export async function view(c: Context<App>, conversation: string | null = null): Promise<View> {
  const name = c.get("user");
  const store = c.env.USERS.get(c.env.USERS.idFromName(name));
  const known = knownRevision(name);
  const [shared, state] = await Promise.all([sharedCatalog(c.env), store.read(conversation, known)]);
  // Another request may have put the user's catalog out meanwhile.
  const { revision, settings, skills, conversation: talk } = state.skills || knownRevision(name) === state.revision ? state : await store.read(conversation, -1);
  const user: UserConfig = { disabled: settings.disabled, overrides: settings.overrides, ...(settings.active === null ? {} : { active: settings.active }) };
  return { store, shared, own: ownCatalog(name, revision, skills), settings, user, conversation: talk };
}
