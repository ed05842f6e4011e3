/** A person starts an order's file from this example. */

/** The ids of this order are those of the emulator's catalog. */
export const exampleFile = `# A pre-filled order. Check it without sending it:  comanda prefill order.yaml --dry-run
# Only order_type is required; what is left out, the customer fills in.

order_type: delivery            # delivery or takeout

customer:
  name: Maria Aparecida
  phone: "11999990000"          # digits alone

cart:
  - item_id: 3002               # the item's id in the store's catalog
    quantity: 2
    observation: no onion, please
    option_groups:
      - option_group_id: 81
        options:
          - option_id: 901
            quantity: 1
          - option_id: 903
            quantity: 1

  - item_id: 3008               # a combo: what is chosen in each of its steps
    quantity: 1
    combo_steps:
      - combo_step_id: 71
        item:
          item_id: 3002
          observation: well done
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

delivery_address:               # with order_type: delivery alone
  street: Rua das Acácias
  number: "120"                 # text, hence the quotes
  address_block: null           # block and lot, where they replace a number
  address_lot: null
  neighborhood: Centro
  complement: Apto 51
  reference: next to the bakery # a landmark
  postal_code: "01310100"       # digits alone
  city: São Paulo
  state: SP
  latitude: "-23.561684"
  longitude: "-46.655981"
`;
