// Serves the page with the bundle of oidc-client-ts.
import { serveBundle } from '../serve-bundle.mjs'

await serveBundle(new URL('main.js', import.meta.url))
