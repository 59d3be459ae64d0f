/** The page of a program that runs in the browser; the same as that of page.mjs. */
export function renderPage(user, actions) {
  const texts = user ? [user.name, user.email] : ['Signed out']
  document.body.replaceChildren(
    ...texts.map((text) => Object.assign(document.createElement('p'), { textContent: text })),
    ...(user ? [Object.assign(document.createElement('code'), { textContent: user.accessToken })] : []),
    ...Object.entries(actions)
      .filter(([name]) => (name === 'Sign in') === !user)
      .map(([name, onclick]) => Object.assign(document.createElement('button'), { textContent: name, onclick })),
  )
}
