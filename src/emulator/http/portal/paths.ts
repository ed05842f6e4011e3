/** Where the portal's pages are. */
export const portalPath = "/portal";

export const portalPaths = {
  home: portalPath,
  /** The `auth_url` of section 5.2. */
  authorize: `${portalPath}/authorize`,
  login: `${portalPath}/login`,
  logout: `${portalPath}/logout`,
  integrations: `${portalPath}/integrations`,
  key: `${portalPath}/integrations/key`,
  uninstall: `${portalPath}/integrations/uninstall`,
  stylesheet: `${portalPath}/style.css`,
  icon: `${portalPath}/icon.svg`,
} as const;
