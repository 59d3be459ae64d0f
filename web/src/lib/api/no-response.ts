/** Response that represents a network error. */
export const NO_RESPONSE = {
  status: 0,
  json: { status: 'error', error: { code: 'unavailable', message: 'No answer' } },
} as const
