/** The file that `prefill --example` prints. */
import { t } from "../languages/language.js";

/** Returns a complete pre-filled order (section 2.7) in YAML, with comments in the user's language. */
export function exampleOrder(): string {
  const command = "comanda prefill order.yaml --dry-run";
  return `\
# ${t`A pre-filled order. To check it without sending it: ${command}`}
# ${t`Only order_type is required. The customer completes missing fields.`}

order_type: delivery            # ${t`delivery or takeout`}

customer:
  name: Maria Aparecida
  phone: "11999990000"          # ${t`digits only`}

cart:
  - item_id: 3002               # ${t`item id in the store's catalog`}
    quantity: 2
    observation: ${t`no onion, please`}
    option_groups:
      - option_group_id: 81
        options:
          - option_id: 901
            quantity: 1
          - option_id: 903
            quantity: 1

  - item_id: 3008               # ${t`a combo, with a choice for each step`}
    quantity: 1
    combo_steps:
      - combo_step_id: 71
        item:
          item_id: 3002
          observation: ${t`well done`}
          option_groups:
            - option_group_id: 81
              options:
                - option_id: 902
                  quantity: 1
      - combo_step_id: 72
        item:
          item_id: 3003
      - combo_step_id: 73
        item:
          item_id: 3009

delivery_address:               # ${t`only with order_type: delivery`}
  street: Rua das Acácias
  number: "120"                 # ${t`in quotes, because it is text`}
  address_block: null           # ${t`block and lot, if they replace the number`}
  address_lot: null
  neighborhood: Centro
  complement: Apto 51
  reference: ${t`next to the bakery`}
  postal_code: "01310100"       # ${t`digits only`}
  city: São Paulo
  state: SP
  latitude: "-23.561684"
  longitude: "-46.655981"
`;
}
