// Makes a key for a user: prints the key once, and its hash for the secret KEYS. node scripts/key.mjs USER
import { createHash, randomBytes } from "node:crypto";

const user = process.argv[2];
if (!user) {
  console.error("usage: node scripts/key.mjs USER");
  process.exit(2);
}
const key = `sk_${randomBytes(32).toString("base64url")}`;
console.error(`key, shown only now: ${key}`);
console.log(JSON.stringify({ [createHash("sha256").update(key).digest("hex")]: user }));
