/** Figures that both sides must agree on, each stated once. Durations are in seconds unless the name says otherwise. */
export const LIMITS = {
  /** Specification §5 and §9. */
  password_min: 12,
  /** ASVS 6.2.9: at least 64 must be allowed; nothing is truncated. */
  password_max: 256,
  name_max: 100,
  description_max: 500,
  url_max: 2000,
  email_max: 254,
  username_min: 3,
  username_max: 32,
  /** Redirect URIs and origins per app (api.md §6). */
  uris_per_client: 50,
  /** Public keys that an app may register by value. */
  keys_per_client: 10,
  /** Scopes that one app defines, and those that it asks for. */
  scopes_per_client: 500,
  asked_scopes: 200,
  scope_title_max: 80,
  scope_description_max: 300,
  passkeys_per_person: 20,
  passkey_name_max: 60,
  recovery_codes: 10,
  page_default: 50,
  page_max: 100,
  json_body_bytes: 64 * 1024,
  /** Of a picture that is sent (api.md §3; ASVS 5.2.1). */
  picture_bytes: 10 * 1024 * 1024,
  picture_pixels: 50_000_000,
  uploads_per_hour: 20,
  data_requests_per_day: 3,
  /** Days of sign-ins by day that are kept. */
  statistics_days: 366,
  /** Members and invitations that wait, of one organisation: its list is answered whole. */
  members_per_developer: 500,
  /** Mails to people who may never have heard of us: of one organisation, and of these to one address. */
  invitations_per_day: 50,
  invitations_per_address_and_day: 5,
} as const
