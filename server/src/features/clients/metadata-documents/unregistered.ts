/** The developer account, without members, of unregistered clients (decision 0031). */
export const UNREGISTERED = 'unregistered'
