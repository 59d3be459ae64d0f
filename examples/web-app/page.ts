/** Pages of the example as HTML. */
const STYLE = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/24px system-ui,sans-serif;background:light-dark(#eef3f8,#0b1218);color:light-dark(#12202b,#e8eef3)}
main{width:min(440px,calc(100vw - 32px));padding:40px;box-sizing:border-box;border-radius:20px;background:light-dark(#fff,#14202a);box-shadow:0 8px 40px #0002}h1{margin:0 0 8px;font-size:28px;line-height:34px}
button{font:inherit;font-weight:600;min-height:48px;padding:0 20px;border:0;border-radius:12px;background:#006867;color:#fff;cursor:pointer;width:100%;margin-top:24px}pre{overflow:auto;font-size:13px;line-height:18px;padding:12px;border-radius:10px;background:light-dark(#eef3f8,#0b1218)}p{margin:4px 0}`

function html(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Jadrolet</title><style>${STYLE}</style><main>${body}</main></html>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
}

const SIGN_IN = '<form method="post" action="/sign-in"><button>Sign in with Vrata</button></form>'

export const page = {
  signedOut: () => html(`<h1>Jadrolet</h1><p>Ferry tickets along the coast. An example website.</p>${SIGN_IN}`),
  signedIn: (user: { sub: string; name?: string; email?: string }) =>
    html(
      `<h1>Hello, ${escaped(user.name ?? user.email ?? user.sub)}</h1><p>${escaped(user.email ?? '')}</p><p>Claims from the userinfo endpoint:</p><pre>${escaped(JSON.stringify(user, null, 2))}</pre><form method="post" action="/sign-out"><button>Sign out</button></form>`,
    ),
  denied: () => html(`<h1>Not signed in</h1><p>You did not allow Jadrolet to use your account.</p>${SIGN_IN}`),
  failed: (reason: string) => html(`<h1>Something went wrong</h1><p>${escaped(reason)}</p>${SIGN_IN}`),
}
