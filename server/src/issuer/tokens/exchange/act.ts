/**
 * The claim `act` of an exchanged token: the service that acts for the user, and inside it those that acted before
 * (RFC 8693 §4.1).
 */
export interface Act {
  /** Client id of the service. */
  sub: string
  act?: Act
}

/** Services of one chain, so that a token cannot grow with every exchange. */
const MAX_ACTORS = 4

/** `act` of the token that the service receives for a token with `former`. Undefined when the chain is too long. */
export function actOf(service: string, former: Act | undefined): Act | undefined {
  // A service that exchanges its own token, for fewer scopes or another resource, is not a further actor.
  if (former?.sub === service) return former
  return actorsIn(former) < MAX_ACTORS ? { sub: service, ...(former ? { act: former } : {}) } : undefined
}

function actorsIn(act: Act | undefined): number {
  return act ? 1 + actorsIn(act.act) : 0
}
