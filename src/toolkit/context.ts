export {
  hasScreen,
  variable,
  type EndingSignal,
  type InputStream,
  type ProcessContext as Context,
  type StandardStream,
} from "../cli/context.js";
export type { GlobalOptions as RunSettings } from "../cli/global-options.js";
