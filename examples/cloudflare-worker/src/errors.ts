/** Every error that the Worker answers, with its status. Clients switch on the code. */
export const ERRORS = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  not_model_invocable: 403,
  not_user_invocable: 403,
  not_available: 403,
  not_found: 404,
  unknown_skill: 404,
  method_not_allowed: 405,
  skill_exists: 409,
  quota_exceeded: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_skill: 422,
  rate_limited: 429,
  internal: 500,
  instructions_failed: 502,
  catalog_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** An error for the client: `message` is written for it and holds nothing of ours. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: { path?: string; suggestions?: string[] } = {},
  ) {
    super(message);
  }

  get response(): Response {
    const headers: Record<string, string> = this.code === "unauthorized" ? { "www-authenticate": "Bearer" } : this.code === "rate_limited" ? { "retry-after": "60" } : {};
    return Response.json({ error: { code: this.code, message: this.message, ...this.details } }, { status: ERRORS[this.code], headers });
  }
}

export function asErrorCode(code: string): ErrorCode {
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "not_available";
}
