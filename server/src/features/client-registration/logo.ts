import { LIMITS, Problem } from '@vrata/contract'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import { GiveUp, type JobHandler, TryAgain } from '../../adapters/jobs/runner.ts'
import { OutboundRefused, outbound } from '../../adapters/outbound-http.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { isLoopbackUrl } from '../../lib/loopback.ts'
import { cancelLogos, LOGO_JOB, setLogo } from '../clients/public.ts'
import { uploadPicture } from '../media/public.ts'

type LogoJob = { client_id: string; user_id: string; logo_uri: string }

/** Queues the copy, in place of others. Pages never load pictures of other servers, which would learn who signs in where. */
export async function enqueueLogo(deps: TransactionDeps, { client_id, ...job }: LogoJob): Promise<void> {
  await cancelLogos(deps.db, client_id)
  // The client first, by which `cancelLogos` finds it.
  await enqueue(deps, LOGO_JOB, { client_id, ...job } satisfies LogoJob)
}

/** With the address rules of `jwks_uri` and the limits of uploads, for which the member counts who issued the token. */
export function logoJob(deps: AppDeps): JobHandler {
  const out = outbound({ loopback: isLoopbackUrl(deps.config.url) })
  return async (payload, { id }) => {
    const { client_id, user_id, logo_uri } = payload as Partial<LogoJob>
    // It was canceled.
    if (client_id === undefined || user_id === undefined || logo_uri === undefined) return
    const { status, body } = await out
      .send(logo_uri, { headers: { accept: 'image/*' }, bytes: LIMITS.picture_bytes })
      .catch(asJobError)
    if (status >= 500) throw new TryAgain(`the address answered ${status}`)
    if (status !== 200) throw new GiveUp(`the address answered ${status}`)
    const upload = { read: async () => body }
    const file = await uploadPicture(deps, { user_id, upload, field: 'logo_uri', framing: 'whole' }).catch(asJobError)
    await deps.transaction((tx) => setLogo(tx, id, client_id, file))
  }
}

function asJobError(error: unknown): never {
  if (error instanceof OutboundRefused) throw new GiveUp(error.message)
  if (error instanceof Problem) throw new (error.status === 415 ? GiveUp : TryAgain)(error.code)
  throw error
}
