/** An interaction that continues in oidc-provider: the outcome of `continueInteraction`. */
export interface ResumedInteraction {
  step: 'done' | 'deny' | 'wrong_user' | 'unmet_acr'
  login: { accountId: string; ts: number; amr: string[]; acr: string }
}

/** Requirements of an authorization request beyond its scopes. */
export interface RequestedClaims {
  /** The only user that the client accepts (`id_token_hint`, or `sub` in `claims`). */
  sub?: string | undefined
  /** Scopes of the single claims in `claims`, without the requested scopes (OpenID Connect Core §5.5). */
  scopes: string[]
  /** Authentication contexts of which one is essential (OpenID Connect Core §5.5.1.1). */
  acr?: string[] | undefined
}

/** The interaction of one provider request. */
export interface InteractionState {
  /**
   * Written before `GET /authorize/{uid}` is passed to oidc-provider (mount.ts). Read by the interaction policy and by
   * `find` of the Interaction model.
   */
  resumed: ResumedInteraction | undefined
  /** Written by the interaction policy at the first `GET /authorize`. Read by `upsert` of the Interaction model. */
  requested: RequestedClaims
}
