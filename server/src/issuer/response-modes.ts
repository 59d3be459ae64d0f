/** How an answer goes back to an app (OAuth 2.0 Multiple Response Type Encoding §2.1, Form Post). */
export const RESPONSE_MODES = ['query', 'form_post', 'fragment'] as const
/** To the page that opened a popup; only for apps that have switched popups on (api.md §6, `allow_popup`). */
export const WEB_MESSAGE = 'web_message'
