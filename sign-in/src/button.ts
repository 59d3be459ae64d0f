import type { SignInError } from './error.ts'
import { signIn } from './sign-in.ts'
import type { SignInOptions, SignInResult } from './types.ts'
import { installationName, textsFor } from './words.ts'

export interface ButtonOptions extends SignInOptions {
  /** `en`, `sl` or `hr`. Default: the language of the page. */
  locale?: string
  onSuccess(result: SignInResult): void
  onError(error: SignInError): void
}

const STYLE = `
.vrata-sign-in{display:inline-flex;align-items:center;justify-content:center;gap:10px;max-width:100%;min-height:44px;padding:8px 20px;overflow-wrap:anywhere;border:1px solid #80908f;border-radius:12px;background:#fff;color:#0f2224;font:600 15px/1.4 system-ui,sans-serif;cursor:pointer}
.vrata-sign-in:hover{background:#e9f0ef}
.vrata-sign-in:focus-visible{outline:3px solid #10908b;outline-offset:2px}
.vrata-sign-in[aria-busy=true]{opacity:.6;cursor:default}
@media (prefers-color-scheme:dark){.vrata-sign-in{background:#0e1c1f;color:#ecf1f1;border-color:#67787a}.vrata-sign-in:hover{background:#162528}}
`
/** The Vrata logo as paths and fills. */
const LOGO: [path: string, fill: string][] = [
  ['M3 27V13a11 11 0 0 1 22 0v14z', '#003f43'],
  ['M6 27V13a8 8 0 0 1 16 0v14z', '#f9bb51'],
  ['M6 27V13a8 8 0 0 1 8-8c2.6 1.8 3.5 5 3.5 9V27z', '#00807c'],
]
const SVG = 'http://www.w3.org/2000/svg'

let styled = false

/** Returns a button to insert into the page. It uses neither inline styles nor inline scripts. */
export function signInButton({ locale, onSuccess, onError, ...options }: ButtonOptions): HTMLButtonElement {
  addStyle()
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'vrata-sign-in'
  // The logo is that of the product, which an installation with a name of its own does not show.
  if (installationName === undefined) button.append(logo())
  button.append(textsFor(locale).button.replace('Vrata', () => installationName ?? 'Vrata'))
  let current: Promise<SignInResult> | undefined
  button.addEventListener('click', () => {
    button.ariaBusy = 'true'
    const signingIn = signIn({ ...(locale ? { ui_locales: locale } : {}), ...options })
    current = signingIn
    // Another click ends this sign-in and begins one of its own, so the page hears nothing of this one.
    const isCurrent = () => current === signingIn
    signingIn
      .then(onSuccess, (error) => {
        if (isCurrent()) onError(error)
      })
      .finally(() => {
        if (isCurrent()) button.ariaBusy = 'false'
      })
  })
  // A page that was left for a redirect may be shown again as it was.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) button.ariaBusy = 'false'
  })
  return button
}

function addStyle(): void {
  if (styled) return
  styled = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  document.adoptedStyleSheets.push(sheet)
}

function logo(): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  for (const [name, value] of [
    ['viewBox', '0 0 28 28'],
    ['width', '24'],
    ['height', '24'],
    ['aria-hidden', 'true'],
  ] as const) {
    svg.setAttribute(name, value)
  }
  for (const [d, fill] of LOGO) {
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('d', d)
    path.setAttribute('fill', fill)
    svg.append(path)
  }
  return svg
}
