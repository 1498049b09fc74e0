/** What builtins compute of strings, of tokens and of labels of classes. */
@NullMarked
package org.relaxvm.builtins.strings;

import org.jspecify.annotations.NullMarked;
