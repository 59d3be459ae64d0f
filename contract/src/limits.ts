/** Limits that server and pages share. Durations are in seconds unless the name says otherwise. */
export const LIMITS = {
  /** product §5 and §9. */
  password_min: 12,
  /** At least 64 must be allowed, and nothing is truncated (security §6.2.9). */
  password_max: 256,
  /** Length of names of users, organizations and clients. Stored names may be longer. */
  name_max: 60,
  search_max: 100,
  /** Groups of an installation, and the length of their keys. */
  groups: 1000,
  group_key_max: 64,
  /** Groups and people that may use one app. */
  access_groups: 50,
  access_people: 500,
  description_max: 500,
  /** Length of a text from an operator to a person, such as the reason why an account is disabled. */
  reason_max: 200,
  url_max: 2000,
  /** Length of the text on the sign-in page, in each language: it is part of the document of every public page. */
  sign_in_text_max: 300,
  mail_footer_max: 500,
  /** Length of a client ID that is an address: it is a segment of paths of the API, encoded. */
  client_id_max: 400,
  email_max: 254,
  username_min: 3,
  username_max: 32,
  /** Redirect URIs and origins per client (api §6). */
  uris_per_client: 50,
  /** Public keys that a client may register by value. */
  keys_per_client: 10,
  /** Scopes that a client defines, and scopes that it requests. */
  scopes_per_client: 500,
  requested_scopes: 200,
  /** Apps, or members, that an operator lets one organization have at most. */
  organization_quota: 100_000,
  /** Domains whose addresses may register. */
  registration_domains: 100,
  /** API identifiers of a client (api §9.2). */
  resources_per_client: 20,
  scope_title_max: 80,
  scope_description_max: 300,
  passkeys_per_person: 20,
  /** Clients with a metadata document that a person connects. */
  unregistered_clients_per_person: 200,
  passkey_name_max: 60,
  device_name_max: 60,
  recovery_codes: 10,
  page_default: 50,
  page_max: 100,
  json_body_bytes: 64 * 1024,
  /** Size of a document with the settings of the installation, which can contain pictures. */
  document_bytes: 2 * 1024 * 1024,
  /** Size of an uploaded picture (api §3, security §5.2.1). */
  picture_bytes: 10 * 1024 * 1024,
  picture_pixels: 50_000_000,
  uploads_per_hour: 20,
  data_requests_per_day: 3,
  /** Days for which statistics are stored. */
  statistics_days: 366,
  /** Open backchannel authentication requests of one app to one person, multiplied by `VRATA_LIMITS_FACTOR`. */
  ciba_requests_per_person: 5,
  /** Mails about backchannel authentication requests within a day: of one app to one person, and of all apps. */
  ciba_mails_per_app: 10,
  ciba_mails_per_person: 30,
  /** Characters of a binding message (OpenID Connect CIBA Core §7.1). */
  binding_message_max: 40,
  /** Invitation mails to one address within a day, from all senders. */
  invitation_mails_per_address: 5,
  /** Mails to one address within a day that confirm it for an account, from all senders. */
  confirmation_mails_per_address: 10,
  /** Mails to one unconfirmed address within a day about changes to its account. */
  notices_per_unconfirmed_address: 10,
} as const
