/** A screenshot that a module asked for. */
export type Picture = {
  /** File name in the folder of the plan. */
  file: string
  /** Screenshot that the suite requires. */
  asked: string
}

const SHOWN: readonly { modules: RegExp; shows: string }[] = [
  {
    modules: /^oidcc-(prompt-login|max-age-1)$/,
    shows:
      'the sign-in page with the name of the app and the account of the session, which asks for the password again',
  },
  {
    modules: /^oidcc-(ensure-registered-redirect-uri|redirect-uri-query-(added|mismatch))$/,
    shows: 'an error page: *This app tried to send you to an unregistered address*',
  },
  {
    modules: /^oidcc-ensure-redirect-uri-in-authorization-request$/,
    shows: 'an error page: *This app didn’t say where to send you back*, with the code `missing_redirect_uri`',
  },
  {
    modules: /^oidcc-registration-logo-uri$/,
    shows: 'the sign-in page with the OpenID logo, which Vrata has copied, beside the name of the app',
  },
  {
    modules: /^oidcc-registration-policy-uri$/,
    shows: 'the sign-in page with the link *Privacy policy* below the name of the app',
  },
  {
    modules: /^oidcc-registration-tos-uri$/,
    shows: 'the sign-in page with the link *Terms of service* below the name of the app',
  },
  {
    modules: /^oidcc-rp-initiated-logout-(bad|query-added-to)-post-logout-redirect-uri$/,
    shows:
      'an error page: *This app’s request to sign you out is not valid*, with the code `invalid_post_logout_redirect_uri`',
  },
  {
    modules: /^oidcc-rp-initiated-logout-(bad|modified)-id-token-hint$/,
    shows: 'an error page: *This app’s request to sign you out is not valid*, with the code `invalid_id_token_hint`',
  },
  {
    modules: /^oidcc-rp-initiated-logout-no-id-token-hint$/,
    shows: 'the question *Sign out?*, with the buttons *Sign out* and *Stay signed in*',
  },
  {
    modules: /^oidcc-rp-initiated-logout-(no-params|no-post-logout-redirect-uri|only-state)$/,
    shows: 'the last page of a sign-out: *You are signed out*',
  },
]

/** Expected content of the screenshot of a module; undefined for a module without a description. */
export function shownBy(module: string): string | undefined {
  return SHOWN.find(({ modules }) => modules.test(module))?.shows
}
