import * as account from './account.ts'
import * as activity from './activity.ts'
import * as auth from './auth.ts'
import * as clients from './clients.ts'
import * as connections from './connections.ts'
import * as developers from './developers.ts'
import * as deviceCodes from './device-codes.ts'
import * as invitations from './invitations.ts'
import * as media from './media.ts'
import * as members from './members.ts'
import * as privacy from './privacy.ts'
import * as qr from './qr.ts'
import * as quickStart from './quick-start.ts'
import * as refusals from './refusals.ts'
import { isRoute, type Route } from './route.ts'
import * as scopes from './scopes.ts'
import * as security from './security.ts'
import * as statistics from './statistics.ts'
import * as users from './users.ts'

const nouns = {
  account,
  activity,
  auth,
  clients,
  connections,
  developers,
  deviceCodes,
  invitations,
  media,
  members,
  privacy,
  quickStart,
  qr,
  scopes,
  security,
  refusals,
  statistics,
  users,
}

/** Every call of the API, by `noun.name`, in the order in which the files state them. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.entries(nouns).flatMap(([noun, exports]) =>
    Object.entries(exports).flatMap(([name, value]): [string, Route][] =>
      isRoute(value) ? [[`${noun}.${name}`, value]] : [],
    ),
  ),
)
