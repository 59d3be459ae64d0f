import { useId, useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'

const SAMPLES = ['node', 'http'] as const
type Sample = (typeof SAMPLES)[number]

/** Code sample with the address of this server. */
export function CodeSample() {
  const { t } = useI18n()
  const [shown, setShown] = useState<Sample>('node')
  const name = useId()
  const code = codeOf(shown, useAppContext().origin)
  return (
    <Card aria-labelledby={`${name}-title`}>
      <CardHead id={`${name}-title`} title={t('developers.intro.sample')} />
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-3 sm:pr-6 sm:pl-5">
        <fieldset className="flex gap-1">
          <legend className="sr-only">{t('developers.intro.sample')}</legend>
          {SAMPLES.map((sample) => (
            <label
              key={sample}
              className={classes(
                'flex min-h-11 cursor-pointer items-center rounded-control px-3 font-semibold outline-offset-2 outline-focus transition-colors duration-150 has-focus-visible:outline-3',
                sample === shown ? 'bg-brand-soft text-brand-strong' : 'text-muted hover:bg-sunken',
              )}
            >
              <input
                type="radio"
                name={name}
                checked={sample === shown}
                onChange={() => setShown(sample)}
                className="absolute size-px appearance-none opacity-0"
              />
              {t(`developers.intro.sample.${sample}`)}
            </label>
          ))}
        </fieldset>
        <CopyButton text={code} what={t(`developers.intro.sample.${shown}`)} />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        aria-label={t(`developers.intro.sample.${shown}`)}
        className="overflow-x-auto border-t border-line bg-sunken px-5 py-4 -outline-offset-3 sm:px-6"
      >
        <pre className="font-mono text-small">{code}</pre>
      </section>
    </Card>
  )
}

function codeOf(sample: Sample, issuer: string): string {
  return sample === 'node' ? nodeCode(issuer) : httpCode(issuer)
}

/** openid-client refuses `http` otherwise, also on localhost. */
const plainHttp = (issuer: string) =>
  issuer.startsWith('http:')
    ? `, undefined, {
  execute: [oidc.allowInsecureRequests], // while Vrata runs on http
}`
    : ''

const nodeCode = (issuer: string) => `import * as oidc from 'openid-client'

const issuer = new URL('${issuer}')
const vrata = await oidc.discovery(issuer, CLIENT_ID, CLIENT_SECRET${plainHttp(issuer)})

// 1. Send the person to Vrata.
const verifier = oidc.randomPKCECodeVerifier()
const address = oidc.buildAuthorizationUrl(vrata, {
  redirect_uri: 'https://your.app/callback',
  scope: 'openid profile email',
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

// 2. They come back to your redirect URI.
const tokens = await oidc.authorizationCodeGrant(vrata, callbackUrl, {
  pkceCodeVerifier: verifier,
})
const { name, email } = await oidc.fetchUserInfo(
  vrata,
  tokens.access_token,
  tokens.claims().sub,
)`

const httpCode = (issuer: string) => `# Everything a library needs to know
GET ${issuer}/.well-known/openid-configuration

# 1. Send the person to Vrata.
GET ${issuer}/authorize?response_type=code
    &client_id=CLIENT_ID
    &redirect_uri=https://your.app/callback
    &scope=openid profile email
    &code_challenge=CHALLENGE&code_challenge_method=S256

# 2. They come back with a code; exchange it.
POST ${issuer}/token
Authorization: Basic CLIENT_ID:CLIENT_SECRET (base64)

grant_type=authorization_code&code=CODE
&redirect_uri=https://your.app/callback&code_verifier=VERIFIER`
