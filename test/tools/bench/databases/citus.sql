-- An eval as one function that Citus sends to the node of its organization. It has what costs: the look-ups of the gate, each of one
-- table, and its count. It leaves out what is rare: tokens, networks, unknown features, the day's move to eval_usage_day, refunds.
set client_min_messages = warning;
set citus.shard_count = 4;
set citus.enable_unsafe_triggers = on;
set citus.multi_shard_modify_mode = sequential;

do $$ declare r record; begin
  for r in select conrelid::regclass as relation, conname as name from pg_constraint
            where contype = 'f' and connamespace = 'public'::regnamespace loop
    execute format('alter table %s drop constraint %I', r.relation, r.name);
  end loop;
end $$;

-- By organization alone: Citus refuses a unique index without the column that distributes the table.
drop index api_key_key_hash_key;
create unique index api_key_hash on api_key (organization_id, key_hash);

select create_distributed_table('organization', 'organization_id', colocate_with => 'none');
select create_distributed_table(name, 'organization_id', colocate_with => 'organization')
  from unnest(array['member', 'api_key', 'subscriber', 'subscription', 'override', 'eval_counter']) as name;

create function eval_of_one(
  p_organization_id text, p_key_hash bytea, p_subscriber_id text, p_feature_key text,
  out refusal text, out plan text, out own text, out version uuid
) language plpgsql as $$
declare
  v_member_id text;
  v_now timestamptz := clock_timestamp();
  v_second timestamptz := date_trunc('second', v_now);
  v_today date := (v_now at time zone 'UTC')::date;
begin
  select k.member_id into v_member_id from api_key k
   where k.organization_id = p_organization_id and k.key_hash = p_key_hash and (k.expires_at is null or k.expires_at > v_now);
  perform 1 from member m
    where m.organization_id = p_organization_id and m.member_id = v_member_id and m.status = 'active' and m.role = 'admin';
  if not found then refusal := 'unauthorized'; return; end if;
  select o.catalog_version into version from organization o where o.organization_id = p_organization_id;
  select s.plan_key into plan from subscription s
   where s.organization_id = p_organization_id and s.subscriber_id = p_subscriber_id and s.status = 'active';
  if not found then
    perform 1 from subscriber s where s.organization_id = p_organization_id and s.subscriber_id = p_subscriber_id;
    if not found then refusal := 'unknown_subscriber'; return; end if;
  end if;
  select row_to_json(v) into own from (
    select o.kind, o.allowed, o."limit", o.value, o.expires_at from "override" o
     where o.organization_id = p_organization_id and o.subscriber_id = p_subscriber_id and o.feature_key = p_feature_key
       and (o.expires_at is null or o.expires_at > v_now)) v;
  -- Decides and counts at once, so that both limits are exact.
  update eval_counter as c set
    second = v_second,
    second_used = case when c.second = v_second then c.second_used else 0 end + 1,
    day = v_today,
    day_used = case when c.day = v_today then c.day_used else 0 end + 1,
    month_used = case when date_trunc('month', c.day::timestamp) = date_trunc('month', v_today::timestamp) then c.month_used else 0 end + 1
   where c.organization_id = p_organization_id
     and (c.second <> v_second or c.second_used < c.rate_limit)
     and (c.allotment = -1 or c.month_used < c.allotment
       or date_trunc('month', c.day::timestamp) <> date_trunc('month', v_today::timestamp));
  if not found then refusal := 'limited'; end if;
end $$;
select create_distributed_function('eval_of_one(text, bytea, text, text)', 'p_organization_id', colocate_with => 'organization');
