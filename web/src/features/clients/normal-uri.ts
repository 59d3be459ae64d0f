import type { useI18n } from '../../lib/i18n.tsx'

/**
 * The normal form of a redirect URI that was refused with this code, because it is compared as text: with a host in lower case and without
 * spaces, for example. Undefined where that is not the reason.
 */
export function normalUri(uri: string, code: string | undefined): string | undefined {
  const normal = code === 'invalid_url' ? URL.parse(uri)?.href : undefined
  return normal === uri ? undefined : normal
}

/** Message for the person. Undefined where the form of the URI is not the reason. */
export function normalUriError(
  { t }: Pick<ReturnType<typeof useI18n>, 't'>,
  uri: string,
  code: string | undefined,
): string | undefined {
  const normal = normalUri(uri, code)
  return normal && t('clients.uris.normal', { uri: normal })
}
