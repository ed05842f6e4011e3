/** The portal's pages are at these paths. */
export const portalPath = "/portal";

export const portalPaths = {
  home: portalPath,
  /** Section 5.2 calls this address `auth_url`. */
  authorize: `${portalPath}/authorize`,
  login: `${portalPath}/login`,
  logout: `${portalPath}/logout`,
  integrations: `${portalPath}/integrations`,
  key: `${portalPath}/integrations/key`,
  uninstall: `${portalPath}/integrations/uninstall`,
  stylesheet: `${portalPath}/style.css`,
  icon: `${portalPath}/icon.svg`,
} as const;
