import { account } from './account.ts'
import { activity } from './activity.ts'
import { auth } from './auth.ts'
import { clients } from './clients.ts'
import { connections } from './connections.ts'
import { developers } from './developers.ts'
import { guide } from './guide.ts'
import { home } from './home.ts'
import { later } from './later.ts'
import { mail } from './mail.ts'
import { problems } from './problems.ts'
import { ui } from './ui.ts'

export const catalogue = {
  account,
  activity,
  auth,
  clients,
  connections,
  developers,
  guide,
  home,
  later,
  mail,
  problems,
  ui,
}
