import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Config } from '../../config/config.ts'
import { disabledProblem, type IssuerClient, needsCertificates } from '../../features/clients/public.ts'
import { cibaRequestModel } from '../ciba/ciba-request-model.ts'
import { deviceCodeModel } from '../device/device-code-model.ts'
import { grantPayload } from '../interactions/grants.ts'
import { interactionModel } from '../interactions/interaction-model.ts'
import { sessionModel } from '../interactions/provider-session.ts'
import { pushedRequestModel } from '../interactions/pushed-request-model.ts'
import { currentRequest } from '../request/current-request.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { forTestSignIn, testRedirectUri } from '../test-sign-in/test-client-metadata.ts'
import type { Scopes } from '../tokens/resources.ts'
import { tokenModel } from '../tokens/token-models.ts'
import { clientMetadata } from './clients/client-metadata.ts'
import { isClientSecretSent, isSignatureSent, requestedRedirectUri } from './compat/compat.ts'
import { sentKeyIds } from './compat/compat-requests.ts'
import { CertificatesNotAccepted, ClientDisabled } from './provider-errors.ts'
import { replayDetectionModel } from './replay-detection-model.ts'

type Model = (request: ProviderRequest, scopes: Scopes) => Partial<Adapter>

/** Every model that oidc-provider may use; others belong to features that are off. */
const MODELS: Record<string, Model> = {
  AuthorizationCode: (request) => tokenModel(request, 'AuthorizationCode'),
  AccessToken: (request) => tokenModel(request, 'AccessToken'),
  RefreshToken: (request) => tokenModel(request, 'RefreshToken'),
  ClientCredentials: (request) => tokenModel(request, 'ClientCredentials'),
  ReplayDetection: replayDetectionModel,
  Interaction: interactionModel,
  PushedAuthorizationRequest: pushedRequestModel,
  DeviceCode: deviceCodeModel,
  BackchannelAuthenticationRequest: cibaRequestModel,
  // Never stored (protocol §3.2).
  Grant: (request, scopes) => ({ find: (id) => grantPayload(request, id, scopes) }),
  Session: sessionModel,
  Client: clientModel,
}

/** oidc-provider's storage: an adapter for each model, whose methods run on the current request. */
export function adapterFor(scopes: Scopes) {
  return (name: string): Adapter => {
    const model = MODELS[name]
    const adapter = (): Adapter => ({ ...UNUSED, ...model?.(currentRequest(), scopes) })
    return {
      find: (id) => adapter().find(id),
      findByUid: (uid) => adapter().findByUid(uid),
      findByUserCode: (code) => adapter().findByUserCode(code),
      upsert: (id, payload, expiresIn) => adapter().upsert(id, payload, expiresIn),
      consume: (id) => adapter().consume(id),
      destroy: (id) => adapter().destroy(id),
      revokeByGrantId: (id) => adapter().revokeByGrantId(id),
    }
  }
}

const unsupported = (method: string) => async () => {
  throw new Error(`oidc-provider called ${method} of a model that is not in use`)
}

const UNUSED: Adapter = {
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: unsupported('upsert'),
  consume: unsupported('consume'),
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

function clientModel({ deps, reads, options }: ProviderRequest, scopes: Scopes): Partial<Adapter> {
  return {
    async find(id) {
      const client = await reads.client(id)
      if (!client) return undefined
      if (!client.enabled) throw new ClientDisabled(id, disabledProblem(client))
      if (!acceptsCertificatesOf(client, deps.config)) throw new CertificatesNotAccepted(id)
      // Fetched only to verify a signature (decision 0028) or a certificate.
      const byCertificate = client.token_endpoint_auth_method === 'self_signed_tls_client_auth'
      const certificate = byCertificate ? options.certificate?.certificate.raw.toString('base64') : undefined
      const keys =
        isSignatureSent() || byCertificate ? await options.keys.of(client, { kids: sentKeyIds(), certificate }) : null
      const metadata = clientMetadata(client, scopes, { secretSent: isClientSecretSent(), keys })
      const test_uri = testRedirectUri(deps.config)
      const test = options.test === true
      return (
        test || requestedRedirectUri() === test_uri ? forTestSignIn(metadata, test_uri, test) : metadata
      ) as AdapterPayload
    },
  }
}

/** Also after the operator has changed the settings: tokens that must be bound are never issued without binding. */
function acceptsCertificatesOf(client: IssuerClient, { mtls }: Pick<Config, 'mtls'>): boolean {
  if (!needsCertificates(client)) return true
  return client.token_endpoint_auth_method === 'tls_client_auth'
    ? mtls?.verified_header !== undefined
    : mtls !== undefined
}
