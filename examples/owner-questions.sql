-- Ten questions of a store's owner to the figures that `comanda sync` keeps, each a statement for `comanda sql`:
--
--   comanda sync --days 60 --dimensions day,hour,sales_channel,driver_id,status
--   comanda sql "select …"
--
-- `comanda help sales-db` describes the views. Sums are of cents; what is shown has two decimals.

-- How much did we sell, day by day?
select date, orders, revenue from sales_by_day where filters = '[]' order by date;

-- Which were our five best days?
select date, orders, revenue from sales_by_day where filters = '[]' order by revenue_cents desc, date limit 5;

-- How is each month?
select substr(date, 1, 7) as month, sum(orders) as orders, round(sum(revenue_cents) / 100.0, 2) as revenue
from sales_by_day where filters = '[]' group by substr(date, 1, 7) order by month;

-- What does an order bring in, month by month?
select substr(date, 1, 7) as month, round(sum(revenue_cents) / 100.0 / sum(orders), 2) as average
from sales_by_day where filters = '[]' group by substr(date, 1, 7) having sum(orders) > 0 order by month;

-- What does a usual Saturday bring in, beside a usual Tuesday? (0 is Sunday.)
select strftime('%w', date) as weekday, count(*) as days, round(avg(revenue_cents) / 100.0, 2) as revenue
from sales_by_day where filters = '[]' group by strftime('%w', date) order by weekday;

-- On which days did we sell nothing?
select date from sales_by_day where filters = '[]' and orders = 0 order by date;

-- At which hours do the orders come?
select key as hour, sum(orders) as orders from sales_by_dimension
where dimension = 'hour' and from_date = to_date and filters = '[]' group by key order by sum(orders) desc, key;

-- Which channel brings how much of the revenue, in percent?
select key as channel, sum(orders) as orders,
  round(100.0 * sum(revenue_cents) / sum(sum(revenue_cents)) over (), 1) as percent
from sales_by_dimension
where dimension = 'sales_channel' and from_date = to_date and filters = '[]'
group by key order by sum(revenue_cents) desc, key;

-- How many orders did each driver take?
select key as driver, max(label) as name, sum(orders) as orders from sales_by_dimension
where dimension = 'driver_id' and key is not null and from_date = to_date and filters = '[]'
group by key order by sum(orders) desc, key;

-- Which days were corrected afterwards, and by how much?
select date, orders - orders_before as orders, round(revenue - revenue_before, 2) as revenue, asked_at
from restatements order by asked_at, date;
