import { account } from '@vrata/contract'
import type { AnonymousActor } from '../../http/actors.ts'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { checkUsername } from './check-username.ts'
import { countriesIn } from './countries.ts'
import { removeProfilePicture, setProfilePicture } from './profile-picture.ts'
import { setLanguage, updateAccount } from './update-account.ts'
import { getAccount } from './user-info.ts'

/** Calls of profile, language, preferences and countries (api §3.1, §3.2, §3.8). */
export const routes: RouteHandler[] = [
  serve(account.getAccount, getAccount),
  serve(account.updateAccount, updateAccount),
  serve(account.setLanguage, setLanguage),
  serveOpen(account.setProfilePicture, setProfilePicture),
  serve(account.removeProfilePicture, removeProfilePicture),
  serve(account.checkUsername, checkUsername),
  serve(account.listCountries, async (_: unknown, actor: AnonymousActor) => countriesIn(actor.locale)),
]
