/** Message of an error. The error of a connection to a host with several addresses has none; those of the addresses do. */
export function errorMessage(error: Error): string {
  if (error.message === '' && error instanceof AggregateError)
    return error.errors.map((one: Error) => one.message).join(', ')
  return error.message
}

/** The same of what has caused a problem that says only `unavailable`. */
export function causeMessage(error: Error): string {
  return errorMessage(error.message === 'unavailable' && error.cause instanceof Error ? error.cause : error)
}
