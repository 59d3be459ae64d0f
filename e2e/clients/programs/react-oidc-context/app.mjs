// Serves the page with the bundle of react-oidc-context.
import { serveBundle } from '../serve-bundle.mjs'

await serveBundle(new URL('main.jsx', import.meta.url))
