/**
 * Builds programs, and keeps them in normal form while passes change them: {@link
 * org.relaxvm.compiler.builder.BlockBuilder} binds what is not a leaf to variables, derives types,
 * and adds functions to the module.
 *
 * <p>Source: docs/spec/relax-ir.md, section 7.
 */
@NullMarked
package org.relaxvm.compiler.builder;

import org.jspecify.annotations.NullMarked;
