// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TRITONRT_TT_ATTRS_TD
#define TRITONRT_TT_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/dialect/tt/TtDialect.td"
include "compiler/dialect/tt/TtEnums.td"

def Tt_CachePolicyAttr : AttrDef<Tt_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "the two cache hints of a memory op, as 3.9 writes them";
  let description = [{
    Only text: ops keep the two enums apart, as `cache` and `evict`.
    `#tt.cache_policy<cache_modifier = ca, eviction_policy = evict_last>`
  }];
  let parameters = (ins EnumParameter<Tt_CacheModifier>:$cacheModifier,
                        EnumParameter<Tt_EvictionPolicy>:$evictionPolicy);
  let hasCustomAssemblyFormat = 1;
}

#endif // TRITONRT_TT_ATTRS_TD
