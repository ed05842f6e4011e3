/**
 * Can an app be called back there? Any absolute address (RFC 6749, section 3.1.2) without a fragment; one that can run
 * as script is never a place to go to, registered or not.
 */
export function isRedirectTarget(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri) || redirectUri.includes("#")) return false;
  return !["javascript:", "data:", "vbscript:", "blob:", "file:"].includes(new URL(redirectUri).protocol);
}
