import { spawn } from "node:child_process";

/** Runs a command to its end; throws with the end of its output if it fails or takes too long. */
export function run(command, args, { cwd, env = {}, seconds = 120, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve({ stdout, stderr });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${signal ?? code}\n${tail(stdout + stderr)}`));
    });
  });
}

function tail(text) {
  return text.split("\n").slice(-40).join("\n");
}

/** The result that check.mjs's report() printed. */
export function resultOf({ stdout }) {
  const line = stdout.split("\n").find((line) => line.startsWith("RESULT "));
  if (!line) throw new Error(`no result was printed:\n${stdout.slice(-2000)}`);
  return JSON.parse(line.slice("RESULT ".length));
}
