import { account } from '@vrata/contract'
import type { ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { type Served, serve } from '../../edge/serve.ts'
import { countriesIn } from './countries.ts'
import { setLanguage, updateAccount } from './update.ts'
import { getAccount } from './user-info.ts'

/**
 * The person: profile, language, privacy switches. Owns the table `users`; the password, the addresses' confirmation
 * (both slice security) and sessions (slice auth) change it through the door.
 *
 * GET, PUT /v1/account · PUT /v1/account/language · GET /v1/account/countries
 */
export const routes: Served[] = [
  serve(account.getAccount, getAccount),
  serve(account.updateAccount, updateAccount),
  serve(account.setLanguage, setLanguage),
  serve(account.listCountries, async (_: ReadDeps, actor: Visitor) => countriesIn(actor.locale)),
]
