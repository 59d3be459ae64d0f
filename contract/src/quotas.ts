/** Quotas of people and organizations. Calls that exceed one answer 409 `limit_reached` with the quota in `params.limit`. */
export interface Quotas {
  /** Organizations of which a user is an owner, when the user founds another one. Others can make the user an owner of more. */
  organizations_per_person: number
  clients_per_organization: number
  /** Members and waiting invitations. */
  members_per_organization: number
  /** Invitation mails that a user sends within a day. */
  invitation_mails_per_day: number
}

/** The quotas of an installation that sets none. */
export const DEFAULT_QUOTAS: Quotas = {
  organizations_per_person: 10,
  clients_per_organization: 100,
  members_per_organization: 500,
  invitation_mails_per_day: 20,
}
