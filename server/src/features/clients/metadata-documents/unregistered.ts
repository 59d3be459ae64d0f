/** The developer account, without members, of clients that nobody has registered (decision 0031). */
export const UNREGISTERED = 'unregistered'
