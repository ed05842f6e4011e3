"""Tests the emulator in Python, with a client that is built from the API's document.

comanda openapi > openapi.json
comanda emulator exec -- python3 -m unittest -v test_orders
"""

import json
import os
import unittest
from urllib import request

from partner_api import Client, Refused

EMULATOR = os.environ["COMANDA_EMULATOR_URL"]


def control(path, body):
    headers = {"Content-Type": "application/json"}
    with request.urlopen(request.Request(f"{EMULATOR}/_emulator{path}", json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


class Orders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open("openapi.json", encoding="utf-8") as file:
            document = json.load(file)
        token = control("/sign-in", {})["access_token"]
        cls.client = Client(document, EMULATOR, {"Authorization": f"Bearer {token}"})

    def test_dispatches_an_order_only_once(self):
        order = control("/orders", {"order_type": "delivery", "status": "confirmed"})["id"]
        self.client.dispatchOrder(order_id=order)
        with self.assertRaises(Refused) as refused:
            self.client.dispatchOrder(order_id=order)
        self.assertEqual(json.loads(refused.exception.body)["code"], 4002)

    def test_assigns_a_driver_with_a_fee(self):
        order = control("/orders", {"order_type": "delivery"})["id"]
        assigned = self.client.assignDriver(order_id=order, body={"driver_id": 11, "driver_fee": 7.5})
        self.assertEqual(assigned["driver_fee"], 7.5)

    def test_counts_the_orders_of_a_day(self):
        # The emulator may have generated orders of that day.
        before = self.count_of_day()
        control("/orders", {"status": "canceled", "created_at": "2026-03-04T12:00:00Z"})
        self.assertEqual(self.count_of_day(), before + 1)

    def count_of_day(self):
        figures = self.client.summary(
            start_date="2026-03-04T00:00:00Z",
            end_date="2026-03-04T23:59:59Z",
            **{"filters[status_in]": ["canceled", "closed"]},
        )
        return figures["total_order_count"]

    def test_sends_no_parameter_that_the_document_lacks(self):
        with self.assertRaises(TypeError):
            self.client.summary(start_date="2026-03-04T00:00:00Z")
        with self.assertRaises(TypeError):
            self.client.dispatchOrder(order="1")


if __name__ == "__main__":
    unittest.main()
