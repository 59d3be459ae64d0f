/** The developer account, without members, of clients that nobody has registered (decision 0089). */
export const UNREGISTERED = 'unregistered'
