// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/Wording.h"

#include "llvm/ADT/StringExtras.h"

namespace tritonrt::compiler {

namespace {

/// A part of a message, and what is added behind messages that hold it.
struct Hint {
  llvm::StringLiteral part, hint;
};

constexpr Hint kHints[] = {
    {"use of undeclared SSA value", "an argument or an op before this line has to define it"},
    {"expects different type than prior uses", "the type has to be that of the value's definition"},
    {"redefinition of SSA value", "each name is defined once in a function"},
    {"region entry argument", "give the argument another name"},
    {"does not dominate this use",
     "define it before this line, in this block or one that holds it"},
    {"using value defined outside the region",
     "a function sees its own values: pass this one as an argument"},
    {"reference to an undefined block",
     "a block of this function begins with its name, as '^bb1:'"},
    {"reference to invalid result number", "results count from #0 to one less than the op has"},
    {"provided", "name as many results as the op has, as in '%x:2 = '"},
    {"cannot name an operation with no results", "remove the name and the '='"},
    {"redefinition of symbol", "give each function a name of its own"},
    {"alias id",
     "an alias is defined once, on a line '#name = ...' or '!name = ...' before its use"},
    {"location alias was never defined", "add its line '#loc = loc(...)', or drop the loc(...)"},
    {"expected operation name in quotes",
     "an op begins with its name, as tt.load, or with '%x = '"},
    {"has no custom assembly form", "write \"OP\"(OPERANDS) <{ATTRIBUTES}> ({REGIONS}) : TYPES"},
    {"successors in non-terminator", "only the last op of a block names other blocks"},
    {"operation with block successors must terminate", "only the last op of a block names others"},
    {"must be the last operation in the parent block", "remove what follows it in the block"},
    {"expected non-function type", "a type as i32, tensor<64xf32> or !tt.ptr<f32>"},
    {"invalid tensor element type", "elements are integers, floats or !tt.ptr"},
    {"elements literal must be a shaped type", "a type as tensor<64xf32> for dense<...>"},
    {"invalid kind of attribute specified", "write it as Triton prints it, with its type: 5 : i32, "
                                            "array<i32: 0>, dense<0> : tensor<4xi32>"},
    {"invalid kind of type specified", "another kind of type stands in this op's text"},
    {"requires attribute", "write it into the op's '{...}' or '<{...}>'"},
    {"failed to satisfy constraint", "give the attribute a value of this kind"},
    {"unexpected decimal integer literal", "write 1.0 in place of 1"},
    {"integer constant out of range", "take a value that the type holds, or a wider type"},
    {"integer literal not valid for specified type",
     "a float, written as 1.0, where the type is one"},
    {"floating point value not valid", "an integer where the type is one"},
    {"unexpected character", "the text of a kernel as Triton writes it"},
    {"does not support properties", "write attributes as '{...}' behind the operands"},
    {"may only have dialect attributes", "attributes of arguments have names as tt.divisibility"},
    {"are cast incompatible", "take an op that converts between these types"},
    {"requires zero regions", "remove the '({...})'"},
    {"which is not a power of two", "round the block up to one, and mask what is too much"},
    {"has no meaning for the value", "one of the values that Triton prints for it expected"},
};

/// The text between the first two single quotes.
llvm::StringRef quoted(llvm::StringRef message) {
  return message.split('\'').second.split('\'').first;
}

std::string unknownOp(llvm::StringRef op) {
  return ("op '" + op +
          "' is unknown; ops of tt, ttg, arith, math, scf, cf and ub are known, those of tle and "
          "dsa too")
      .str();
}

} // namespace

std::string reworded(llvm::StringRef message) {
  if (message.starts_with("Dialect `"))
    return unknownOp(quoted(message.split("custom op").second));
  if (message.starts_with("custom op '") && message.contains("' is unknown (tried '"))
    return unknownOp(quoted(message));
  if (message.starts_with("block with no terminator"))
    return "a block ends without a terminator; tt.return, scf.yield or a branch has to be its last "
           "op";
  if (message.ends_with("' is not supported") &&
      (message.starts_with("op '") || message.starts_with("type '") ||
       message.starts_with("attribute '")))
    return (message + "; the text of Triton's ttir stage expected, before it is made for a GPU")
        .str();
  // An op names itself twice when its attribute is wrong.
  std::string repeated = ("custom op '" + quoted(message) + "' ").str();
  if (message.starts_with(repeated) &&
      message.drop_front(repeated.size()).starts_with(("'" + quoted(message) + "'").str()))
    message = message.drop_front(repeated.size());
  for (const Hint &hint : kHints)
    if (message.contains(hint.part))
      return (message + "; " + hint.hint).str();
  return message.str();
}

} // namespace tritonrt::compiler
