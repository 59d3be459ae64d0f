import { ROUTES } from '@vrata/contract/routes'

const ADDRESSES = [...ROUTES.values()].map(({ method, path }) => ({
  method,
  // `~` sorts after the characters of literal segments.
  template: path.replace(/:[a-z_]+/g, '~'),
  pattern: new RegExp(`^/v1${path.replace(/:[a-z_]+/g, '[^/]+')}/?$`),
}))

/** Methods of a path below `/v1`, for 405. A literal path takes precedence over a templated one (OpenAPI 3.1 §4.8.8.2). */
export function methodsOf(path: string): string[] {
  const found = ADDRESSES.filter(({ pattern }) => pattern.test(path))
  const [closest] = found.map(({ template }) => template).sort()
  return found.filter(({ template }) => template === closest).map(({ method }) => method)
}
