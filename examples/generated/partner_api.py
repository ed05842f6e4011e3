"""Builds a client from the API's OpenAPI document when the program starts, with only Python's standard library."""

import json
import re
from urllib import error, parse, request


class Refused(Exception):
    """Raised for an error response, with its HTTP status and its body."""

    def __init__(self, status, body):
        super().__init__(f"HTTP {status}: {body}")
        self.status = status
        self.body = body


class Client:
    """client.dispatchOrder(order_id="4711"), client.summary(start_date=..., **{"filters[status_in]": ["closed"]})"""

    def __init__(self, document, base_url, headers):
        self._base_url = base_url
        self._headers = headers
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                setattr(self, operation["operationId"], self._method(path, method, operation))

    def _method(self, path, method, operation):
        parameters = {each["name"]: each for each in operation.get("parameters", [])}

        def call(body=None, **values):
            unknown = set(values) - set(parameters)
            if unknown:
                raise TypeError(f"{operation['operationId']} takes no {', '.join(sorted(unknown))}")
            missing = {name for name, each in parameters.items() if each.get("required")} - set(values)
            if missing:
                raise TypeError(f"{operation['operationId']} needs {', '.join(sorted(missing))}")
            query = {name: value for name, value in values.items() if parameters[name]["in"] == "query"}
            address = re.sub(r"{(\w+)}", lambda found: parse.quote(str(values[found[1]]), safe=""), path)
            return self._send(method.upper(), address, parse.urlencode(query, doseq=True), body)

        return call

    def _send(self, method, path, query, body):
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, **({} if data is None else {"Content-Type": "application/json"})}
        url = self._base_url + path + (f"?{query}" if query else "")
        try:
            with request.urlopen(request.Request(url, data, headers, method=method)) as answer:
                text = answer.read().decode()
        except error.HTTPError as refusal:
            raise Refused(refusal.code, refusal.read().decode()) from None
        return json.loads(text) if text else None

