/** Tests of the types of releases. */
@NullMarked
package org.relaxvm.objects.schema;

import org.jspecify.annotations.NullMarked;
