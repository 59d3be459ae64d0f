import { account } from '@vrata/contract'
import type { ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { countriesIn } from './countries.ts'
import { removeProfilePicture, setProfilePicture } from './profile-picture.ts'
import { setLanguage, updateAccount } from './update.ts'
import { getAccount } from './user-info.ts'
import { checkUsername } from './username.ts'

/**
 * The person: profile, language, privacy switches. Owns the table `users`; the password, the addresses' confirmation
 * (both slice security) and sessions (slice auth) change it through the door.
 *
 * GET, PUT /v1/account · PUT /v1/account/language · GET /v1/account/countries
 * PUT, DELETE /v1/account/profile-picture · GET /v1/account/username/{username}
 */
export const routes: Served[] = [
  serve(account.getAccount, getAccount),
  serve(account.updateAccount, updateAccount),
  serve(account.setLanguage, setLanguage),
  serveOpen(account.setProfilePicture, setProfilePicture),
  serve(account.removeProfilePicture, removeProfilePicture),
  serve(account.checkUsername, checkUsername),
  serve(account.listCountries, async (_: ReadDeps, actor: Visitor) => countriesIn(actor.locale)),
]
